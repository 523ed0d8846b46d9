// Manifests as tests write them: the envelope is given, the spec is YAML of the test.

/** One document of the kind; `spec` holds the lines below `spec:`, without their indent. */
export function manifestOf(kind: string, name: string, spec = ''): string {
  const lines = spec === '' ? '' : `spec:\n${spec.replace(/^/gm, '  ')}\n`;
  return `apiVersion: warren.dev/v1alpha1\nkind: ${kind}\nmetadata:\n  name: ${name}\n${lines}`;
}

export function repositoryOf(name: string, spec = ''): string {
  return manifestOf('Repository', name, spec);
}

export function joinDocuments(...documents: readonly string[]): string {
  return documents.join('---\n');
}
