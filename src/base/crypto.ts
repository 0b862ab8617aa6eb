let loaded: typeof import('node:crypto') | undefined;

/** `node:crypto`, loaded by its first use: many commands need none of it, or only after they have asked the platform. */
export function crypto(): typeof import('node:crypto') {
  loaded ??= process.getBuiltinModule('node:crypto');
  return loaded;
}
