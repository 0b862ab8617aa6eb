import type { IncomingHttpHeaders } from 'node:http';

/**
 * Why to refuse a request, or undefined. A web page could reach a loopback server through a name of its
 * own (DNS rebinding) or from its own origin; programs send neither.
 * @param port the port that the request came in on
 */
export function originIssue(headers: IncomingHttpHeaders, port: number | undefined): string | undefined {
  const hosts = [`127.0.0.1:${port}`, `localhost:${port}`];
  if (!hosts.includes(headers.host ?? '')) {
    return `The Host header must be 127.0.0.1:${port} or localhost:${port}.`;
  }
  const own = hosts.map((host) => `http://${host}`);
  if (headers.origin !== undefined && !own.includes(headers.origin)) {
    return 'Requests from other origins are refused.';
  }
  return undefined;
}
