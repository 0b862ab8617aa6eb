import { type Forwarder, startForwarder } from './forwarder.js';
import { type JobHome, jobHome } from './job-home.js';
import { runsHere } from './runs-here.js';
import { startSandbox } from './sandbox-server.js';

/** A sandbox with change requests of a writer, and a docs lead who runs `docs change-requests stale`. */

export interface StalePlatform {
  home: JobHome;
  forwarder: Forwarder;
  /** A space of the seed without change requests of its own. */
  space: string;
  /** Sends a request as somebody else than the lead. */
  as<T = unknown>(role: string, method: string, path: string, body?: unknown): Promise<T>;
  /** Opens change requests of the writer; gives their ids. */
  opened(subjects: readonly string[]): Promise<string[]>;
  /** Moves the clock of the sandbox. */
  pass(days: number): Promise<void>;
  /** `docs change-requests stale` in the space. */
  stale(...words: string[]): string[];
  /** The rows of `--list`, by subject. */
  listed(...words: string[]): Promise<Record<string, Row>>;
  comments(id: string): Promise<Comment[]>;
  /** Comments on a change request as somebody else. */
  comment(id: string, markdown: string): Promise<unknown>;
  /** Takes all comments back. */
  uncomment(ids: readonly string[]): Promise<void>;
  statusOf(id: string): Promise<string>;
  end(): Promise<void>;
}

export interface Row {
  subject: string;
  action: string;
  why: string;
  age: number;
  archiveAfter?: string;
}

export interface Comment {
  id: string;
  body: { markdown: string };
  status: string;
}

export async function stalePlatform(): Promise<StalePlatform> {
  const home = jobHome({});
  runsHere(home);
  const { url, tokens, control, close } = await startSandbox(home);
  const forwarder = await startForwarder(url);
  home.env.DOCS_BASE_URL = forwarder.url;
  const as = async <T>(role: string, method: string, path: string, body?: unknown): Promise<T> => {
    const headers = { authorization: `Bearer ${tokens[role]}`, 'content-type': 'application/json' };
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const answer = await fetch(`${url}/v1${path}`, { method, headers, ...sent });
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    return (answer.status === 205 ? undefined : await answer.json()) as T;
  };
  const spaces = await home.json<{ id: string; title: string }[]>(['spaces', 'list']);
  const space = spaces.find(({ title }) => title === 'API Reference')?.id ?? '';
  const requests = `/spaces/${space}/change-requests`;
  const stale = (...words: string[]) => ['change-requests', 'stale', '--space', space, ...words];
  const comments = async (id: string) =>
    (await as<{ items: Comment[] }>('admin', 'GET', `${requests}/${id}/comments`)).items;
  return {
    ...{ home, forwarder, space, as, stale, comments },
    async opened(subjects) {
      const ids: string[] = [];
      for (const subject of subjects) {
        const { id } = await as<{ id: string }>('edit', 'POST', requests, { subject });
        await as('edit', 'PATCH', `${requests}/${id}`, { status: 'open' });
        ids.push(id);
      }
      return ids;
    },
    async pass(days) {
      // The time in answers is cut to seconds.
      await control.clock.shift((days * 1440 + 1) * 60_000);
    },
    async listed(...words) {
      const rows = await home.json<Row[]>(stale('--list', ...words));
      return Object.fromEntries(rows.map((row) => [row.subject, row]));
    },
    comment: (id, markdown) => as('edit', 'POST', `${requests}/${id}/comments`, { body: { markdown } }),
    async uncomment(ids) {
      for (const id of ids)
        for (const comment of await comments(id))
          await as('admin', 'DELETE', `${requests}/${id}/comments/${comment.id}`);
    },
    async statusOf(id) {
      return (await as<{ status: string }>('admin', 'GET', `${requests}/${id}`)).status;
    },
    async end() {
      await forwarder.close();
      await close();
      home.remove();
    },
  };
}
