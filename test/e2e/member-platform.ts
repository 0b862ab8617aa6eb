import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Team {
  id: string;
  title: string;
  createdAt?: string;
}

/** A platform of members and teams that counts each change, and fails as a test says. */
export interface MemberPlatform {
  url: string;
  /** Roles by member; a removed one is not there. */
  readonly roles: Map<string, string>;
  readonly teams: Team[];
  /** Each change that was done, in order: `u1 read`, `u1 gone`, `new Writers`. */
  readonly changes: string[];
  /** `GET /v1/orgs/o1/members/u1`, in order of arrival. */
  readonly requests: string[];
  /** Called with each change before it is done, counted from 1; with the id of the member or the title of the team. */
  onChange: (count: number, what: string) => Fate | Promise<Fate>;
  /** Called with each read before it is answered; `later` refuses it for a minute. */
  onRead: (request: string) => void | 'later' | Promise<void>;
  /** Whether teams tell when they were created. */
  dated: boolean;
  /** The platform's clock minus that of this machine, in milliseconds. */
  clockMs: number;
  add(title: string): Team;
  /** All as at the start. */
  reset(): void;
  /** Ends all connections and takes no more, until `up`. */
  down(): Promise<void>;
  up(): Promise<void>;
  close(): Promise<void>;
}

/** What becomes of a change: done, refused with a status, lost before or after it was done. */
export type Fate = 'done' | number | 'lost before' | 'lost after' | 'no answer';

/** @param count members u1, u2, … with the role edit */
export async function memberPlatform(count: number): Promise<MemberPlatform> {
  const roles = new Map<string, string>();
  const teams: Team[] = [];
  const changes: string[] = [];
  const requests: string[] = [];
  let [seen, made, port] = [0, 0, 0];
  let server = createServer();
  const now = () => new Date(Date.now() + platform.clockMs);
  const answer = (response: ServerResponse, status: number, body?: unknown): void => {
    response.writeHead(status, { 'content-type': 'application/json', date: now().toUTCString() });
    response.end(body === undefined ? undefined : JSON.stringify(body));
  };
  const refuse = (response: ServerResponse, status: number) =>
    answer(response, status, { error: { code: status, message: 'No.' } });

  /** Does a change. @returns what is answered; undefined where there is no such thing */
  const change = (method: string, id: string, body: { role?: string; title?: string }) => {
    if (method === 'PUT') {
      changes.push(`new ${body.title}`);
      return { status: 201, body: platform.add(body.title ?? '') };
    }
    const team = teams.findIndex((one) => one.id === id);
    if (team < 0 && !roles.has(id)) return undefined;
    changes.push(`${id} ${body.role ?? 'gone'}`);
    if (team >= 0) teams.splice(team, 1);
    else if (method === 'DELETE') roles.delete(id);
    else roles.set(id, body.role ?? '');
    return method === 'DELETE' ? { status: 204 } : { status: 200, body: { id, role: body.role } };
  };
  const read = (path: string) => {
    const [, list = '', id, part] = /\/(teams|members)(?:\/([^/]+))?(\/members)?$/.exec(path) ?? [];
    if (part !== undefined) return { items: [] };
    if (list === 'teams' && id === undefined) return { items: teams, count: teams.length };
    if (list === 'teams') return teams.find((team) => team.id === id);
    if (id !== undefined && roles.has(id)) return { id, role: roles.get(id) };
    const org = /\/v1\/orgs\/([^/]+)$/.exec(path)?.[1];
    return org === undefined ? undefined : { object: 'organization', id: org };
  };
  const listen = (): Promise<void> => {
    const next = createServer(async (request, response) => {
      let text = '';
      for await (const chunk of request) text += chunk;
      const { method = '', url = '' } = request;
      requests.push(`${method} ${url}`);
      const path = url.split('?')[0] ?? '';
      if (method === 'GET') {
        if ((await platform.onRead(`${method} ${url}`)) === 'later')
          return void response.writeHead(429, { 'retry-after': '60' }).end();
        const found = read(path);
        return found === undefined ? refuse(response, 404) : answer(response, 200, found);
      }
      const id = path.split('/').at(-1) ?? '';
      const body = JSON.parse(text || '{}') as { role?: string; title?: string };
      seen += 1;
      const fate = await platform.onChange(seen, body.title ?? id);
      if (typeof fate === 'number') return refuse(response, fate);
      if (fate === 'lost before') return void response.destroy();
      const done = change(method, id, body);
      if (done === undefined) return refuse(response, 404);
      if (fate === 'lost after') return void response.destroy();
      if (fate === 'done') answer(response, done.status, done.body);
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
    ...{ url: `http://127.0.0.1:${port}`, roles, teams, changes, requests },
    onChange: () => 'done',
    onRead: () => {},
    ...{ dated: true, clockMs: 0 },
    reset() {
      [seen, made] = [0, 0];
      for (const list of [teams, changes, requests]) list.length = 0;
      roles.clear();
      for (let number = 1; number <= count; number += 1) roles.set(`u${number}`, 'edit');
      Object.assign(platform, { onChange: () => 'done', onRead: () => {}, dated: true, clockMs: 0 });
    },
    add(title) {
      made += 1;
      const createdAt = platform.dated ? { createdAt: now().toISOString() } : {};
      const team = { object: 'team', id: `t${made}`, title, ...createdAt };
      teams.push(team);
      return team;
    },
    ...{ down, up: listen, close: down },
  };
  platform.reset();
  return platform;
}
