let loaded: typeof import('node:crypto') | undefined;

/** `node:crypto`, loaded by its first use: most commands on the sandbox need none of it, and it takes a twentieth of them. */
export function crypto(): typeof import('node:crypto') {
  loaded ??= process.getBuiltinModule('node:crypto');
  return loaded;
}
