/** A whole list by undici, as the shortest script would print it: `list.mjs <url of the list>`. */
import { request } from 'undici';

const list = process.argv[2] ?? '';
let query = '?limit=1000';
while (query !== '') {
  const { body } = await request(list + query, { headers: { authorization: 'Bearer bench' } });
  const { items, next } = (await body.json()) as { items: unknown[]; next?: { page?: string } };
  for (const item of items) console.log(JSON.stringify(item));
  query = next?.page === undefined ? '' : `?limit=1000&page=${next.page}`;
}
