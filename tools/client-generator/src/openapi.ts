/** The part of OpenAPI that the description of the service uses. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly properties?: Schemas;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema | boolean;
  readonly items?: Schema;
  readonly format?: string;
  readonly description?: string;
}

export type Schemas = Readonly<Record<string, Schema>>;

type Content = Readonly<Record<string, { readonly schema: Schema }>>;

export interface DescribedOperation {
  readonly operationId: string;
  readonly summary: string;
  readonly parameters: readonly {
    readonly name: string;
    readonly in: 'path' | 'query' | 'header';
    readonly schema: Schema;
  }[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>;
}

export interface OpenApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>;
  readonly components: { readonly schemas: Schemas };
}

/** Returns the name that a reference ends with. */
export function referredName(ref: string): string {
  return ref.slice(ref.lastIndexOf('/') + 1);
}
