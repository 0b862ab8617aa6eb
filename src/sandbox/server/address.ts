/** What the first line of a request asks for. */
export interface Address {
  /** The path between its slashes, decoded; of `/v1/orgs` they are `''`, `v1` and `orgs`. */
  parts: readonly string[];
  /** As it was sent. */
  query: string;
}

/** Reads a path with its query, or a whole URL. @returns undefined if it is malformed */
export function readAddress(url: string): Address | undefined {
  const sent = withoutOrigin(url);
  if (sent === undefined) return undefined;
  const { path, query } = divided(sent);
  const parts = path.split('/');
  if (!path.includes('%')) return { parts, query };
  try {
    return { parts: parts.map((part) => decodeURIComponent(part)), query };
  } catch {
    return undefined;
  }
}

/** The path of a well-formed URL as people read it: decoded but for the characters that divide URLs. */
export function readablePath(url: string): string {
  const { path } = divided(withoutOrigin(url) ?? url);
  return decodeURI(path.replaceAll('%25', '%2525'));
}

function withoutOrigin(url: string): string | undefined {
  if (url.startsWith('/') || !/^https?:\/\//i.test(url)) return url;
  if (url.includes('#') || !URL.canParse(url)) return undefined;
  return url.replace(/^\w+:\/\/[^/?]*/, '');
}

function divided(url: string): { path: string; query: string } {
  const end = url.search(/[?#]/);
  return end === -1 ? { path: url, query: '' } : { path: url.slice(0, end), query: url.slice(end + 1) };
}
