import { expect, test } from 'vitest';
import { downloads, handlers } from '../../../src/sandbox/handlers/index.js';
import { downloadAt, handlerAt, routeRecords } from '../../../src/sandbox/handlers/routes.js';

test('each operation and each download is found by its record alone', async () => {
  const records = await routeRecords();
  const found = await Promise.all(records.map((record) => record.id !== undefined && handlerAt(record)));
  expect(new Set(found.filter(Boolean))).toEqual(new Set(handlers));
  const served = records.filter(({ id }) => id === undefined).map(downloadAt);
  expect(new Set(await Promise.all(served))).toEqual(new Set(downloads));
});
