import { isSecretName, redactQuery, redactUrls } from '../../../api/transport/redaction.js';

/**
 * Removes what must not be in a backup: values whose names look secret, credentials in URLs, and download
 * URLs, which open a file for whoever has them. What people wrote stays as it is.
 */

const mark = '[left out]';

/** Keys whose values are content that people wrote, or named. */
const content = /^(?:markdown|document|body|jsonSchema|filesystem|value|customField|preview)$/;

/** A resource without secrets, permissions of the reader, and download URLs. */
export function cleaned(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(cleaned);
  if (typeof value === 'string')
    return /^[a-z][a-z0-9+.-]*:\/\//i.test(value) ? withoutSecrets(value) : value;
  if (!isPlain(value)) return value;
  const members = Object.entries(value).filter(([key]) => key !== 'downloadURL' && key !== 'permissions');
  return Object.fromEntries(
    members.map(([key, member]) => {
      if (content.test(key)) return [key, member];
      const hidden = isSecretName(key) && typeof member !== 'boolean' && member !== null;
      return [key, hidden ? mark : cleaned(member)];
    }),
  );
}

/** Numbers kept as digits are not plain objects, and stay. */
function isPlain(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  return [Object.prototype, null].includes(Object.getPrototypeOf(value));
}

function withoutSecrets(url: string): string {
  return redactQuery(redactUrls(url));
}

/** Replaces the URLs in a text that files were downloaded from by their paths in the backup. */
export class Addresses {
  /** By URL without its query, which changes with each answer. */
  readonly #places = new Map<string, string>();
  readonly #origins = new Set<string>();

  /** @param place relative to the folder of the content: `files/logo.png` */
  add(url: string, place: string): void {
    if (!URL.canParse(url)) return;
    this.#places.set(bare(url), place);
    this.#origins.add(new URL(url).origin);
  }

  /**
   * @param above what leads from the text to the folder of the content: `../../`
   * @returns the text; signed URLs of other files on the same origin lose their signature
   */
  replaced(text: string, above: string): string {
    if (this.#places.size === 0) return text;
    return text.replaceAll(/https?:\/\/[^\s"'<>)\]\\`]+/g, (url) => {
      const place = this.#places.get(bare(url));
      if (place !== undefined) return above + place.split('/').map(encodeURIComponent).join('/');
      const known = URL.canParse(url) && this.#origins.has(new URL(url).origin);
      return known ? withoutSecrets(url) : url;
    });
  }
}

function bare(url: string): string {
  return url.replace(/[?#].*$/s, '');
}
