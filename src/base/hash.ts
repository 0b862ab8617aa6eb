/** `node:crypto`, loaded by its first use: it takes a twentieth of a short run, and most need none of it. */
export function nodeCrypto(): typeof import('node:crypto') {
  return process.getBuiltinModule('node:crypto');
}

/** The SHA-256 of content, text as UTF-8, in hexadecimal. */
export function sha256(content: string | Uint8Array): string {
  return nodeCrypto().hash('sha256', content);
}
