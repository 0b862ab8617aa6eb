/** Those in which docs reads texts (text-encoding.ts). */
export const encodings = ['utf-8', 'utf-16le', 'utf-16be', 'latin1', 'windows-1252'] as const;
export type Encoding = (typeof encodings)[number];

export function isEncoding(text: unknown): text is Encoding {
  return (encodings as readonly unknown[]).includes(text);
}
