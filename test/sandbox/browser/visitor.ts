import { type IncomingHttpHeaders, request } from 'node:http';
import { parse } from 'parse5';
import type { Io } from '../../../src/base/io.js';
import { createPages } from '../../../src/browser/serve.js';
import { groups } from '../../../src/commands/index.js';
import * as typed from '../../../src/commands/sandbox/typed.js';
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
  send(path: string, headers?: Record<string, string>, method?: string, body?: string): Promise<Answer>;
  /** Path and query of an address that opens the pages once. */
  ticket(): Promise<string>;
  /** A page, seen by who has opened the pages. */
  visit(path: string): Promise<Answer>;
  /** Sends a form of a page, as a browser does: the fields that the page has, and those that are typed. */
  submit(page: string, action: string, typed?: Record<string, string>): Promise<Answer>;
  /** The cookie that `visit` sends. */
  cookie(): Promise<string>;
}

/** The pages as `docs sandbox start` serves them, of the usual database. */
function pagesOf(file: () => string, io: () => Pick<Io, 'now'>): LoadPages {
  return async (parts) =>
    createPages(parts, {
      groups,
      place: { sandbox: true },
      platform: 'linux',
      file: undefined,
      otherOf: async () => undefined,
      typed,
      control: async (work) => {
        const control = await openControl(file(), io());
        try {
          return await work(control);
        } finally {
          control.close();
        }
      },
    });
}

export async function openVisited(options: Partial<SandboxOptions> = {}): Promise<Visited> {
  const pages = pagesOf(
    () => sandbox.file,
    () => sandbox.outside.io,
  );
  const sandbox = await openSandbox({ pages, ...options });
  const port = Number(new URL(sandbox.url).port);
  const send: Visited['send'] = (path, headers = {}, method = 'GET', body = '') =>
    new Promise((resolve, reject) => {
      const sent = request({ host: '127.0.0.1', port, path, method, headers }, (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (part: string) => {
          text += part;
        });
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text }),
        );
      });
      sent.on('error', reject);
      sent.end(body);
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
  const visit = async (path: string) => send(path, { cookie: await ownCookie() });
  const submit: Visited['submit'] = async (page, action, typed = {}) => {
    const form = formIn((await visit(page)).body, action, typed);
    const headers = { cookie: await ownCookie(), origin: sandbox.url, ...formType };
    return send(
      `/sandbox/do/${action}`,
      headers,
      'POST',
      new URLSearchParams({ ...form, ...typed }).toString(),
    );
  };
  return Object.assign(sandbox, {
    send,
    submit,
    ticket,
    cookie: ownCookie,
    visit,
  });
}

export const formType = { 'content-type': 'application/x-www-form-urlencoded' };

/** The fields of the first form of an action whose hidden fields are those that are typed. */
export function formIn(page: string, action: string, typed: Record<string, string>): Record<string, string> {
  const forms = [...page.matchAll(/<form class="act"[^>]*action="\/sandbox\/do\/([\w-]+)"[\s\S]*?<\/form>/g)];
  const fields = forms
    .filter(([, name]) => name === action)
    .map(([form]) => {
      const inputs = nodesOf(form).filter(({ nodeName }) => nodeName === 'input');
      return Object.fromEntries(
        inputs.map((one) => [attribute(one, 'name') ?? '', attribute(one, 'value') ?? '']),
      );
    });
  const fits = (form: Record<string, string>) =>
    Object.entries(typed).every(([key, value]) => form[key] === undefined || form[key] === value);
  return fields.find(fits) ?? fields[0] ?? {};
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
