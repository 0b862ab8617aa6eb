import { describe, expect, test } from 'vitest';
import type { IdpPerson } from '../../../src/access/sso/idp.js';
import { likelyFor, type Why } from '../../../src/access/sso/likely.js';

/** Who in the identity provider is probably meant by a member. */

const person = (email: string, name?: string, aliases: string[] = [], line = 2): IdpPerson => ({
  ...{ line, email, aliases },
  ...(name !== undefined && { name }),
});
const of = (people: readonly IdpPerson[], email: string, name?: string) =>
  likelyFor([{ email, ...(name !== undefined && { name }) }], people).matches[0] ?? [];
const why = (own: string, ownName: string | undefined, other: IdpPerson): Why[] | undefined =>
  of([other], own, ownName)[0]?.why;

test.each<[string, string | undefined, IdpPerson, Why[] | undefined]>([
  ['ada@acme.example', undefined, person('ada@new.example'), ['domain']],
  ['ada@acme.example', undefined, person('ada+docs@acme.example'), ['plus-address']],
  ['ada+docs@acme.example', undefined, person('ada@acme.example'), ['plus-address']],
  ['ada.okafor@acme.example', undefined, person('adaokafor@acme.example'), ['dots']],
  ['a.da+x@acme.example', undefined, person('ada@new.example'), ['plus-address', 'dots', 'domain']],
  ['ada@acme.example', 'Øster, José', person('x@y.example', 'jose OSTER'), ['name']],
  ['ada.okafor@acme.example', undefined, person('ada.okafro@acme.example'), ['spelling']],
  ['ada.okafor@acme.example', undefined, person('ada.okafo@acme.example'), ['spelling']],
  ['ada.okafor@acme.example', undefined, person('ada.okavor@acme.example'), ['spelling']],
  ['ada@acme.example', undefined, person('x@y.example', undefined, ['ADA@acme.example']), ['alias']],
  // Nothing speaks for them: a name of one word, a typo in another domain, or in a short local part.
  ['ada@acme.example', 'Ada', person('x@y.example', 'Ada'), undefined],
  ['ada.okafor@acme.example', undefined, person('ada.okafro@new.example'), undefined],
  ['ada@acme.example', undefined, person('ido@acme.example'), undefined],
])('%s (%s) and %j: %j', (own, ownName, other, expected) => {
  expect(why(own, ownName, other)).toEqual(expected);
});

describe('several candidates', () => {
  test('come the likeliest first, three at most', () => {
    const people = [
      person('other@x.example', 'Ada Okafor', [], 2),
      person('ada@new.example', undefined, [], 3),
      person('ada@else.example', 'Ada Okafor', [], 4),
      person('third@x.example', 'Ada Okafor', [], 5),
    ];
    const found = of(people, 'ada@acme.example', 'Ada Okafor');
    expect(found.map(({ line, why: reasons }) => [line, reasons])).toEqual([
      [4, ['domain', 'name']],
      [3, ['domain']],
      [2, ['name']],
    ]);
  });

  test('too many of the same name tell nothing', () => {
    const people = Array.from({ length: 30 }, (_, at) => person(`p${at}@x.example`, 'Ada Okafor', [], at));
    expect(of(people, 'ada@acme.example', 'Ada Okafor')).toEqual([]);
  });
});

test('typos of too many members are not looked for, which is said', () => {
  const sought = Array.from({ length: 5001 }, (_, at) => ({ email: `member${at}@acme.example` }));
  const idp = [person('member1x@acme.example')];
  expect(likelyFor(sought, idp)).toMatchObject({ notSpelt: 5001 });
  const fewer = likelyFor(sought.slice(0, 5000), idp);
  expect(fewer.notSpelt).toBe(0);
  expect(fewer.matches[1]).toMatchObject([{ email: 'member1x@acme.example', why: ['spelling'] }]);
});

test('an address without a domain, or of nothing but dots, matches nobody by accident', () => {
  for (const odd of ['', '@', '...@x.example', '+@x.example', 'ada']) {
    const reasons = of([person('ada@acme.example')], odd).flatMap((one) => one.why);
    expect(reasons, odd).toEqual(odd === 'ada' ? ['domain'] : []);
  }
});
