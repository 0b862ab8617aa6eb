import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from '../../../src/main.js';
import { type StubPlatform, stubPlatform } from '../../e2e/stub-platform.js';
import { type FakeIo, type FakeIoOptions, fakeIo } from '../../fake-io.js';

/** A platform with one OpenAPI spec, `petstore`, whose states follow each other as a test says. */

export interface State {
  processingState: string;
  lastVersion?: string;
  lastProcessedAt?: string;
  lastProcessErrorCode?: string;
  sourceURL?: string;
  /** As early as possible unless a test says otherwise. */
  updatedAt?: string;
}

export interface Answer {
  status: number;
  body?: unknown;
}

export const [early, late] = ['2026-01-01T00:00:00.000Z', '2026-01-02T00:00:00.000Z'];
export const v1: State = { processingState: 'complete', lastVersion: 'v1', lastProcessedAt: early };
export const v2: State = { processingState: 'complete', lastVersion: 'v2', lastProcessedAt: late };
export const pending: State = { ...v1, processingState: 'pending' };
export const progress: State = { ...v1, processingState: 'progress' };

export const path = '/v1/orgs/o1/openapi/petstore';
/** The specification in the file petstore.yaml, and as a document whose keys are in another order. */
export const yaml = 'openapi: 3.1.0\ninfo:\n  title: Petstore\n  version: 1.0.0\npaths: {}\n';
export const document = { paths: {}, info: { version: '1.0.0', title: 'Petstore' }, openapi: '3.1.0' };

export class ScriptedSpec {
  readonly home = mkdtempSync(join(tmpdir(), 'docs-publish-'));
  /** The spec until it is set; undefined where there is none. */
  before: State | undefined;
  /** The answers once it is set, or waited for; the last one stays. */
  states: (State | Answer)[] = [];
  /** The content of the latest version. */
  latest: unknown;

  constructor() {
    this.begin();
    writeFileSync(join(this.home, 'petstore.yaml'), yaml);
    writeFileSync(join(this.home, 'other.yaml'), yaml.replace('1.0.0', '2.0.0'));
    writeFileSync(join(this.home, 'empty.yaml'), '\n');
  }

  /** A spec with one version, whose next one takes a while. */
  begin(): void {
    this.before = v1;
    this.states = [pending, progress, v2];
    this.latest = { filesystem: { 'petstore.yaml': document }, url: 'https://acme.example/v1' };
  }

  /** Runs a command line; `PLATFORM` in it is the address of the platform. */
  async run(line: string, options: FakeIoOptions = {}) {
    const platform = await this.#platform(line.startsWith('openapi wait'));
    const { home, url } = { home: this.home, url: platform.url };
    const env = { HOME: home, DOCS_BASE_URL: url, DOCS_TOKEN: 'token-of-a-test', DOCS_JOURNAL: 'off' };
    const io = quickIo({ cwd: home, ...options, env: { ...env, ...options.env } });
    const startMs = io.now();
    const code = await run([...line.replace('PLATFORM', url).split(' '), '--org', 'o1', '--no-retry'], io);
    await platform.close();
    const tookMs = io.now() - startMs;
    const puts = platform.bodies.filter((_, index) => platform.requests[index]?.startsWith('PUT '));
    return { code, stdout: io.stdout.text, stderr: io.stderr.text, sent: platform.requests, puts, tookMs };
  }

  remove(): void {
    rmSync(this.home, { recursive: true, force: true });
  }

  #platform(isSetAlready: boolean): Promise<StubPlatform> {
    const { before, latest } = this;
    const left = [...this.states];
    let isSet = isSetAlready;
    return stubPlatform((method, { pathname }) => {
      if (pathname === `${path}/versions/latest/content`)
        return latest === undefined ? undefined : { body: latest };
      if (pathname === `${path}/versions/latest`) return { body: { id: 'v-latest' } };
      if (pathname === '/spec.json') return { body: document };
      if (pathname !== path) return undefined;
      isSet ||= method === 'PUT';
      const state = isSet ? (left.length > 1 ? left.shift() : left[0]) : before;
      if (state === undefined || 'status' in state) return state;
      return {
        status: method === 'PUT' && before === undefined ? 201 : 200,
        body: { object: 'openapi-spec', id: 'x1', slug: 'petstore', updatedAt: early, ...state },
      };
    });
  }
}

/** What the command itself waits for is over at once, and the clock moves; time limits stay ahead. */
function quickIo(options: FakeIoOptions): FakeIo {
  const io = fakeIo(options);
  const { sleep } = io;
  io.sleep = (ms, signal) => (signal === io.signal ? io.advance(ms) : sleep(ms, signal));
  return io;
}
