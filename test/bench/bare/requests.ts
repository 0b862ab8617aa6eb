/**
 * The ideal of a command: the same requests, eight at once, each as soon as the answers are there that it needs, and
 * the same files: `requests.mjs <JSON file> <url> <token> [<folder> [<copy>]]`. The JSON file has lists of requests,
 * each with its path, and optionally the numbers of those before it, its method and its body. The files of the
 * folder are read; with `<copy>`, they are written there as safely as docs writes, after the last answer.
 */
import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  writeSync,
} from 'node:fs';
import { Agent, request } from 'node:http';
import { dirname, join } from 'node:path';

interface Sent {
  path: string;
  after?: number[];
  method?: string;
  body?: unknown;
}

const atOnce = 8;
const [file = '', url = '', token = '', folder, copy] = process.argv.slice(2);
const agent = new Agent({ keepAlive: true, maxSockets: atOnce });
const waiting = (JSON.parse(readFileSync(file, 'utf8')) as Sent[]).map((sent, index) => ({ sent, index }));
const answered = new Set<number>();
const answers: unknown[] = [];
let underWay = 0;

function go(): void {
  for (let at = 0; at < waiting.length && underWay < atOnce; ) {
    const { sent, index } = waiting[at] as (typeof waiting)[number];
    if (sent.after?.some((needed) => !answered.has(needed))) at += 1;
    else {
      waiting.splice(at, 1);
      send(sent, index);
    }
  }
  if (waiting.length === 0 && underWay === 0) end();
}

function send({ path, method = 'GET', body }: Sent, index: number): void {
  underWay += 1;
  const headers = {
    authorization: `Bearer ${token}`,
    ...(body !== undefined && { 'content-type': 'application/json' }),
  };
  const sending = request(url + path, { agent, method, headers }, (response) => {
    let text = '';
    response.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
    response.on('end', () => {
      answers[index] = text === '' ? null : JSON.parse(text);
      underWay -= 1;
      answered.add(index);
      go();
    });
  });
  sending.end(body === undefined ? undefined : JSON.stringify(body));
}

const files = new Map<string, Buffer>();

function read(): void {
  if (folder === undefined) return;
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile()) files.set(path.slice(folder.length + 1), readFileSync(path));
  }
}

function end(): void {
  agent.destroy();
  if (copy === undefined) return;
  const folders = new Set([...files.keys()].map((path) => dirname(join(copy, path))));
  for (const each of folders) mkdirSync(each, { recursive: true });
  for (const [path, bytes] of files) {
    const draft = openSync(join(copy, `${path}.tmp`), 'wx');
    writeSync(draft, bytes);
    fsyncSync(draft);
    closeSync(draft);
  }
  for (const path of files.keys()) renameSync(join(copy, `${path}.tmp`), join(copy, path));
}

go();
read();
