const mark = '[redacted]';

/** Names of headers, query parameters and JSON keys whose values look secret. */
const secretName =
  /token|secret|passw|pwd|api[-_]?key|authori[sz]ation|credential|cookie|session|private[-_]?key|share[-_]?key|signature/i;

export function isSecretName(name: string): boolean {
  return secretName.test(name);
}

/** Hides credentials of URLs in any text: `https://user:secret@host` (RELIABILITY.md, "Secrets and origins"). */
export function redactUrls(text: string): string {
  return text.replace(/([a-z][a-z0-9+.-]*:\/\/)[^\s/?#"'<>\\]*@/gi, `$1${mark}@`);
}

/** Hides the values of query parameters and form fields that look secret. */
export function redactQuery(text: string): string {
  return text.replace(
    /(^|[?&;\s])([^=?&;#\s"']{1,200})=([^&;#\s"']*)/g,
    (whole, before: string, name: string) =>
      isSecretName(decodeName(name)) ? `${before}${name}=${mark}` : whole,
  );
}

/** Hides what looks secret in a JSON text: by its keys, or by `"key": "value"` if it does not parse. */
export function redactJson(text: string): string {
  try {
    const hide = (key: string, value: unknown) => (isSecretName(key) ? mark : value);
    return JSON.stringify(JSON.parse(text), hide) ?? text;
  } catch {
    const pairs = /"([^"\\]{1,200})"(\s*:\s*)("[^"\\]*(?:\\.[^"\\]*)*"?|[^\s,}\]]+)/g;
    const redacted = text.replace(pairs, (whole, key: string, colon: string) =>
      isSecretName(key) ? `"${key}"${colon}"${mark}"` : whole,
    );
    return redactQuery(redacted);
  }
}

/** Hides a secret: plain, percent-encoded, escaped for JSON, in hexadecimal, in base64 at any offset. */
export function hideSecret(secret: string | undefined): (text: string) => string {
  if (secret === undefined || secret === '') return (text) => text;
  const bytes = Buffer.from(secret);
  const hex = bytes.toString('hex');
  const hexPairs = hex.match(/../g) ?? [];
  const exact = [secret, JSON.stringify(secret).slice(1, -1), ...base64Forms(bytes)];
  const anyCase = [
    hex,
    encodeURIComponent(secret),
    hexPairs.map((pair) => `%${pair}`).join(''),
    hexPairs.map((pair) => `\\u00${pair}`).join(''),
  ];
  const exactly = alternatives(exact, 'g');
  const loosely = alternatives(anyCase, 'gi');
  return (text) => text.replace(exactly, mark).replace(loosely, mark);
}

/** The base64 forms of the bytes inside a longer text: their offset decides how they are grouped. */
function base64Forms(bytes: Buffer): string[] {
  return [0, 1, 2].flatMap((offset) => {
    const text = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64');
    const own = text.slice(Math.ceil((offset * 8) / 6), Math.floor(((offset + bytes.length) * 8) / 6));
    if (own.length < 6) return [];
    return [own, own.replaceAll('+', '-').replaceAll('/', '_')];
  });
}

function alternatives(texts: readonly string[], flags: string): RegExp {
  const longestFirst = [...new Set(texts)].sort((a, b) => b.length - a.length);
  const escaped = longestFirst.map((text) => text.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&'));
  return new RegExp(escaped.join('|'), flags);
}

function decodeName(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
