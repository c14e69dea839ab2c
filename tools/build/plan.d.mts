/** A project of the workspace, as its manifest declares it. */
export interface Project {
  readonly name: string;
  readonly folder: string;
  readonly dependencies: readonly string[];
  readonly tags: readonly string[];
  readonly isBuilt: boolean;
  readonly isPage: boolean;
  readonly hasTypes: boolean;
  readonly programs: Readonly<Record<string, string>>;
  readonly folders: Readonly<Record<string, string>>;
}

export interface Task {
  readonly kind: 'code' | 'page' | 'types' | 'program' | 'folder';
  readonly project: Project;
  readonly entry?: string;
  readonly memory?: string;
  readonly folder?: string;
  readonly from?: string;
}

export function planTasks(projects: ReadonlyMap<string, Project>, purpose: string): Task[];

export function tasksOf(project: Project): Task[];
