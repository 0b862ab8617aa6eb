import { type IncomingHttpHeaders, request } from 'node:http';
import { parse } from 'parse5';
import { createPages } from '../../../src/browser/serve.js';
import { groups } from '../../../src/commands/index.js';
import { openControl } from '../../../src/sandbox/control.js';
import type { LoadPages } from '../../../src/sandbox/server/front.js';
import type { SandboxOptions } from '../../../src/sandbox/start.js';
import { openSandbox, type TestSandbox } from '../client.js';

/** A sandbox with its pages, and a visitor who sends exactly what a test says. */

export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  body: string;
}

export interface Visited extends TestSandbox {
  /** A request, with nothing in its headers but what is given. */
  send(path: string, headers?: Record<string, string>, method?: string): Promise<Answer>;
  /** Path and query of an address that opens the pages once. */
  ticket(): Promise<string>;
  /** A page, seen by who has opened the pages. */
  visit(path: string): Promise<Answer>;
  /** The cookie that `visit` sends. */
  cookie(): Promise<string>;
}

export const pages: LoadPages = async (parts) =>
  createPages(parts, { groups, place: { sandbox: true }, platform: 'linux', opens: 'docs sandbox open' });

export async function openVisited(options: Partial<SandboxOptions> = {}): Promise<Visited> {
  const sandbox = await openSandbox({ pages, ...options });
  const port = Number(new URL(sandbox.url).port);
  const send: Visited['send'] = (path, headers = {}, method = 'GET') =>
    new Promise((resolve, reject) => {
      const sent = request({ host: '127.0.0.1', port, path, method, headers }, (response) => {
        let body = '';
        response.setEncoding('utf8').on('data', (part: string) => {
          body += part;
        });
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, body }),
        );
      });
      sent.on('error', reject);
      sent.end();
    });
  const ticket = async () => {
    const control = await openControl(sandbox.file, sandbox.outside.io);
    const made = control.makeTicket();
    control.close();
    return `/sandbox/open?token=${made}`;
  };
  let cookie: Promise<string> | undefined;
  const opened = async () => cookieOf(await send(await ticket()));
  const ownCookie = () => {
    cookie ??= opened();
    return cookie;
  };
  return Object.assign(sandbox, {
    send,
    ticket,
    cookie: ownCookie,
    visit: async (path: string) => send(path, { cookie: await ownCookie() }),
  });
}

/** What a browser sends back of a cookie. */
export function cookieOf({ headers }: Answer): string {
  return headers['set-cookie']?.[0]?.split(';')[0] ?? '';
}

export interface Element {
  nodeName: string;
  value?: string;
  attrs?: { name: string; value: string }[];
  childNodes?: Element[];
}

/** Every node of a page, as a browser reads it. */
export function nodesOf(text: string): Element[] {
  const within = (node: Element): Element[] => [node, ...(node.childNodes ?? []).flatMap(within)];
  return within(parse(text) as unknown as Element);
}

export function attribute({ attrs = [] }: Element, name: string): string | undefined {
  return attrs.find((one) => one.name === name)?.value;
}

/** What the links, pictures and forms of a page name, without fragments. */
export function addressesIn(text: string): string[] {
  const named = nodesOf(text).flatMap((node) =>
    ['href', 'src', 'action', 'data-rows'].flatMap((name) => attribute(node, name) ?? []),
  );
  return [...new Set(named.map((one) => one.replace(/#.*$/, '')).filter(Boolean))];
}
