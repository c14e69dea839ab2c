export function QueuesPage() {
  return null;
}
