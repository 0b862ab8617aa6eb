/** One change by Node's own `http`, with one synced line before it: `change.mjs <url> <file> <body>`. */
import { fdatasyncSync, openSync, writeSync } from 'node:fs';
import { request } from 'node:http';

const [url = '', file = '', body = ''] = process.argv.slice(2);
const journal = openSync(file, 'a', 0o600);
writeSync(journal, `${JSON.stringify({ at: new Date(), method: 'PATCH', url, body })}\n`);
fdatasyncSync(journal);
const headers = { authorization: 'Bearer bench', 'content-type': 'application/json' };
const sent = request(url, { method: 'PATCH', headers }, (response) => {
  let text = '';
  response.setEncoding('utf8');
  response.on('data', (chunk: string) => {
    text += chunk;
  });
  response.on('end', () => console.log(JSON.stringify(JSON.parse(text), undefined, 2)));
});
sent.end(body);
