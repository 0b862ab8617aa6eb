/** One resource by Node's own `http`, as the shortest script would get it: `get.mjs <url>`. */
import { get } from 'node:http';

get(process.argv[2] ?? '', { headers: { authorization: 'Bearer bench' } }, (response) => {
  let text = '';
  response.setEncoding('utf8');
  response.on('data', (chunk: string) => {
    text += chunk;
  });
  response.on('end', () => console.log(JSON.stringify(JSON.parse(text), undefined, 2)));
});
