import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A platform of members and spaces that counts each change, and fails as a test says. */
export interface MemberPlatform {
  url: string;
  /** Roles by member; a removed one is not there. */
  readonly roles: Map<string, string>;
  /** Each change that was done, in order: `u1 read`, `u1 gone`. */
  readonly changes: string[];
  /** `GET /v1/orgs/o1/members/u1`, in order of arrival. */
  readonly requests: string[];
  /** Called with each change before it is done, counted from 1. */
  onChange: (count: number, id: string) => Fate | Promise<Fate>;
  /** Called with each read before it is answered. */
  onRead: (request: string) => void | Promise<void>;
  /** Ends all connections and takes no more, until `up`. */
  down(): Promise<void>;
  up(): Promise<void>;
  close(): Promise<void>;
}

/** What becomes of a change: done, refused with a status, lost before or after it was done. */
export type Fate = 'done' | number | 'lost before' | 'lost after' | 'no answer';

/** @param count members u1, u2, … with the role edit */
export async function memberPlatform(count: number): Promise<MemberPlatform> {
  const roles = new Map(Array.from({ length: count }, (_, index) => [`u${index + 1}`, 'edit']));
  const changes: string[] = [];
  const requests: string[] = [];
  let [seen, made] = [0, 0];
  let port = 0;
  let server = createServer();

  const change = async (
    id: string,
    body: string,
    method: string,
    response: ServerResponse,
  ): Promise<void> => {
    seen += 1;
    const fate = await platform.onChange(seen, id);
    if (typeof fate === 'number') return refuse(response, fate);
    if (fate === 'lost before') return void response.destroy();
    const { role, title } = JSON.parse(body || '{}') as { role?: string; title?: string };
    if (method !== 'PUT' && !roles.has(id)) return refuse(response, 404);
    if (method === 'PUT') changes.push(`new ${title}`);
    else changes.push(`${id} ${role ?? 'gone'}`);
    if (method === 'DELETE') roles.delete(id);
    else if (method === 'PATCH') roles.set(id, role ?? '');
    if (fate === 'lost after') return void response.destroy();
    if (fate === 'no answer') return;
    if (method === 'DELETE') return void response.writeHead(204).end();
    made += 1;
    answer(
      response,
      method === 'PUT' ? 201 : 200,
      method === 'PUT' ? { id: `t${made}`, title } : { id, role },
    );
  };
  const listen = (): Promise<void> => {
    const next = createServer(async (request, response) => {
      let body = '';
      for await (const chunk of request) body += chunk;
      const { method = '', url = '' } = request;
      requests.push(`${method} ${url}`);
      const id = url.split('?')[0]?.split('/').at(-1) ?? '';
      if (method !== 'GET') return change(id, body, method, response);
      await platform.onRead(`${method} ${url}`);
      if (url.includes('/teams')) return answer(response, 200, { items: [], count: 0 });
      if (roles.has(id)) return answer(response, 200, { id, role: roles.get(id) });
      if (/\/v1\/orgs\/[^/]+$/.test(url)) return answer(response, 200, { object: 'organization', id });
      refuse(response, 404);
    });
    server = next;
    return new Promise((ready) => next.listen(port, '127.0.0.1', ready));
  };
  const down = (): Promise<void> =>
    new Promise((done) => {
      server.closeAllConnections();
      server.close(() => done());
    });
  await listen();
  port = (server.address() as AddressInfo).port;
  const platform: MemberPlatform = {
    url: `http://127.0.0.1:${port}`,
    roles,
    changes,
    requests,
    onChange: () => 'done',
    onRead: () => {},
    down,
    up: listen,
    close: down,
  };
  return platform;
}

function answer(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

function refuse(response: ServerResponse, status: number): void {
  answer(response, status, { error: { code: status, message: 'No.' } });
}
