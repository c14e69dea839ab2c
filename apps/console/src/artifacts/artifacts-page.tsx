export function ArtifactsPage() {
  return null;
}
