import { refusal } from '../../refusal.js';

/** The text of UTF-8 bytes, without a byte order mark. @throws 400 if they are none */
export function decodeText(bytes: Uint8Array, name: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw refusal(400, `${JSON.stringify(name)} is not text in UTF-8.`);
  }
}
