import { connect, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { HttpServer } from '../../../src/sandbox/server/http.js';

let server: HttpServer;
let port: number;
/** Lets the answers to `/slow` go out. */
let release: () => void;
/** Resolves when a request to `/slow` has come in. */
let asked: Promise<void>;

beforeEach(async () => {
  const slow = new Promise<void>((resolve) => {
    release = resolve;
  });
  let hear: () => void = () => undefined;
  asked = new Promise((resolve) => {
    hear = resolve;
  });
  server = new HttpServer(async ({ url = '' }, response) => {
    if (url === '/slow') {
      hear();
      await slow;
    }
    response.end(url);
  });
  port = Number(new URL(await server.listen(0)).port);
});
afterEach(() => server.close());

/** A connection, and all that the server sends on it until it closes it. */
function opened(): { socket: Socket; received: Promise<string> } {
  const socket = connect(port, '127.0.0.1');
  const received = new Promise<string>((resolve) => {
    let answer = '';
    socket.setEncoding('latin1').on('data', (part: string) => {
      answer += part;
    });
    // What is sent to a server that closes is an error, or none, as it happens: what came is what counts.
    socket.on('close', () => resolve(answer)).on('error', () => {});
  });
  return { socket, received };
}

function received(text: string): Promise<string> {
  const { socket, received: answer } = opened();
  socket.write(text);
  return answer;
}

const get = (path: string, ...headers: string[]) =>
  ['GET ', path, ' HTTP/1.1\r\nHost: x\r\n', ...headers, '\r\n'].join('');

describe('what is not HTTP', () => {
  test.each([
    ['nonsense', 'GARBAGE\r\n\r\n', 400, 'Client Error'],
    ['an unknown method', 'FETCH / HTTP/1.1\r\nHost: x\r\n\r\n', 400, 'Client Error'],
    [
      'too many headers',
      get('/', `X: ${'y'.repeat(20_000)}\r\n`),
      ...([431, 'Exceeded maximum allowed HTTP header size'] as const),
    ],
  ])('is refused, and the connection closed: %s', async (_, text, status, message) => {
    const [head = '', body = ''] = (await received(text)).split('\r\n\r\n');
    expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} .*\r\nContent-Length: ${body.length}\r\n`));
    expect(JSON.parse(body)).toMatchObject({ message, statusCode: status });
  });
});

test('a request that takes too long to come is refused with 408', async () => {
  const slow = Object.assign(new Error('Request timeout'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
  server.http.once('connection', (socket: Socket) => server.http.emit('clientError', slow, socket));
  const [head = '', body = ''] = (await opened().received).split('\r\n\r\n');
  expect(head).toMatch(/^HTTP\/1.1 408 /);
  expect(JSON.parse(body)).toMatchObject({ message: 'Client Timeout', statusCode: 408 });
});

describe('closing', () => {
  test('waits for the requests in flight, and keeps no connection open behind them', async () => {
    const answer = received(get('/slow'));
    await asked;
    const closed = server.close();
    release();
    await closed;
    expect(await answer).toMatch(/^HTTP\/1.1 200 OK\r\n(.*\r\n)+\r\n\/slow$/);
  });

  test('refuses what comes later on an open connection', async () => {
    const { socket, received: answer } = opened();
    socket.write(get('/slow'));
    await asked;
    const closed = server.close();
    socket.write(get('/late'));
    await new Promise((resolve) => server.http.once('request', resolve));
    release();
    await closed;
    const [first, second] = (await answer).split('/slow');
    expect(first).toMatch(/^HTTP\/1.1 200 OK/);
    expect(second).toMatch(/^HTTP\/1.1 503 Service Unavailable\r\nconnection: close/);
  });

  test('closes connections that only wait', async () => {
    const answer = received(get('/'));
    await fetch(`http://127.0.0.1:${port}/again`);
    await server.close();
    expect(await answer).toContain('Connection: keep-alive');
  });

  test('waits for nobody who announced a body and got an answer without it', async () => {
    const { socket, received: answer } = opened();
    socket.write(get('/', 'Content-Length: 10\r\n'));
    await new Promise((resolve) => socket.once('data', resolve));
    await server.close();
    expect(await answer).toMatch(/^HTTP\/1.1 200 OK/);
  });
});
