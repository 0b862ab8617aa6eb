import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Team {
  id: string;
  title: string;
  createdAt?: string;
}

/** What becomes of a creation: done, lost before or after it was done, or refused with a status. */
export type Fate = 'done' | 'lost before' | 'lost after' | number;

/** A platform of teams, which lets answers be lost. */
export interface TeamPlatform {
  url: string;
  readonly teams: Team[];
  /** `PUT /v1/orgs/o1/teams`, in order of arrival. */
  readonly requests: string[];
  /** Called with each creation, counted from 1. */
  onCreate: (count: number, title: string) => Fate | Promise<Fate>;
  /** Whether teams tell when they were created. */
  dated: boolean;
  /** The platform's clock minus that of this machine, in milliseconds. */
  clockMs: number;
  add(title: string): Team;
  close(): Promise<void>;
}

export async function teamPlatform(): Promise<TeamPlatform> {
  const teams: Team[] = [];
  const requests: string[] = [];
  let seen = 0;
  const now = () => new Date(Date.now() + platform.clockMs);
  const answer = (response: ServerResponse, status: number, body?: unknown): void => {
    response.writeHead(status, { 'content-type': 'application/json', date: now().toUTCString() });
    response.end(body === undefined ? undefined : JSON.stringify(body));
  };
  const create = async (response: ServerResponse, title: string): Promise<void> => {
    seen += 1;
    const fate = await platform.onCreate(seen, title);
    if (typeof fate === 'number') return answer(response, fate, { error: { code: fate, message: 'No.' } });
    if (fate === 'lost before') return void response.destroy();
    const team = platform.add(title);
    if (fate === 'lost after') return void response.destroy();
    answer(response, 201, team);
  };
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const { method = '', url = '' } = request;
    requests.push(`${method} ${url}`);
    const { pathname } = new URL(url, 'http://stub');
    const id = /\/teams\/([^/]+)/.exec(pathname)?.[1];
    const own = teams.findIndex((team) => team.id === id);
    if (method === 'PUT') return create(response, (JSON.parse(body) as Team).title);
    if (id === undefined) return answer(response, 200, { items: teams, count: teams.length });
    if (own < 0) return answer(response, 404, { error: { code: 404, message: 'No such team.' } });
    if (method === 'DELETE') {
      teams.splice(own, 1);
      return answer(response, 204);
    }
    answer(response, 200, pathname.endsWith('/members') ? { items: [] } : teams[own]);
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const platform: TeamPlatform = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    teams,
    requests,
    onCreate: () => 'done',
    dated: true,
    clockMs: 0,
    add(title) {
      const createdAt = platform.dated ? { createdAt: now().toISOString() } : {};
      const team = { object: 'team', id: `t${teams.length + 1}`, title, ...createdAt };
      teams.push(team);
      return team;
    },
    close: () =>
      new Promise((done) => {
        server.closeAllConnections();
        server.close(() => done());
      }),
  };
  return platform;
}
