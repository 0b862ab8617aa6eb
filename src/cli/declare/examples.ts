export interface Example {
  /** The arguments after `docs`. */
  run: string;
  does: string;
}

/** Examples as they are declared: what each does, by the arguments after `docs`. */
export type Examples = Readonly<Record<string, string>>;

/** A stand-in of the declarations, such as `s1`, for what the sandbox's seed has from the start. */
export interface Stand {
  /** What it stands for, as the seed calls it (src/sandbox/seeds); emails of members are as they are. */
  seed: string;
  typed: string;
}

/**
 * What the short ids of declared examples stand for, so that an example runs as printed on a new sandbox. Ids
 * and emails, and not titles: scripts take nothing else.
 */
export const stands: Readonly<Record<string, Stand>> = {
  o1: { seed: 'org acme', typed: 'jtBm07Y5RKnqZVIW3UZg' },
  o2: { seed: 'org labs', typed: 'emwhxDWuinjdgO7pM0Ak' },
  u1: { seed: 'user chiara', typed: 'chiara@acme.example' },
  u2: { seed: 'user deniz', typed: 'deniz@acme.example' },
  m1: { seed: 'user chiara', typed: 'u9wK127qcc5p3EZxo1tB' },
  m2: { seed: 'user deniz', typed: 'YJCwgLDPoeShgq2bAkWo' },
  t1: { seed: 'team writers', typed: 'yX3ldFpdXkLA5PUzg2Ig' },
  t2: { seed: 'team support', typed: '58r3X1FgDS0A1SsD1Tls' },
  i1: { seed: 'invite readers', typed: 'DlkR0CLUqbYfDbfABloX' },
  a1: { seed: 'saml staff', typed: 'xzKLU6hUoc9EtqEPqdLW' },
  c1: { seed: 'collection product', typed: 'FsGqGxpOdninQi0BbUd2' },
  c2: { seed: 'collection internal', typed: '3yp6r7XXCVC0FgAi1mS3' },
  s1: { seed: 'space welcome', typed: 'FVBgvClY2GOXVTOA3nXE' },
  s2: { seed: 'space guide', typed: 'fqHbvTKt1xFyjibhnCJK' },
  s3: { seed: 'space handbook', typed: 'BuNg2EIhznw7wX6w5XhV' },
  p1: { seed: 'page quickstart', typed: 'BXtmBQC2HyRV7tDmjP5h' },
  f1: { seed: 'file images/logo.png', typed: 'GfLYwmvJ8yxyEzcdqlxl' },
  k1: { seed: 'comment', typed: 'Kpk0IhzKZc17g3u7nOFF' },
  k2: { seed: 'comment', typed: '0YEfUTVYxXDSFW3vrCIx' },
  r1: { seed: 'reply', typed: 'LnCGvrlleEY7WhSvGkfy' },
  n1: { seed: 'spec public-api version 1', typed: 'ptV7E9mezwa5um2AT6Bh' },
  l1: { seed: 'translation product docs', typed: 'GxMXAlvBqgC3G2RKQTRg' },
  w1: { seed: 'site docs', typed: 'MMeDFTQG7CxSHog1TZLV' },
  x1: { seed: 'section docs Guides', typed: '93hyf8HcqA8EdUJ6XTfN' },
  x2: { seed: 'section docs API', typed: 'qoprNKE44gdRi8HXlCPH' },
  x3: { seed: 'section docs Home', typed: 'PsBEFlG8CsRPmDQENuAw' },
  g1: { seed: 'section group docs Developers', typed: 'uF7DBTZ4UEglCp0do1v5' },
  y1: { seed: 'site space docs welcome', typed: 'FcDev2rqgrs1NtzOtuH8' },
  y2: { seed: 'site space docs guide', typed: 'jjCCQyMbyOWElC8ctXU8' },
};

/** Declared examples as they are printed. */
export function examplesOf(declared: Examples): Example[] {
  return Object.entries(declared).map(([run, does]) => ({
    run: run.replaceAll(/(?<![\w.@-])[a-z]\d(?![\w.])/g, (word) => stands[word]?.typed ?? word),
    does,
  }));
}
