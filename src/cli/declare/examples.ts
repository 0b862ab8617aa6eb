export interface Example {
  /** The arguments after `docs`. */
  run: string;
  does: string;
}

/** Examples as they are declared: what each does, by the arguments after `docs`. */
export type Examples = Readonly<Record<string, string>>;

/**
 * What the short ids of declared examples stand for, so that an example runs as printed on a new sandbox: ids of
 * its seed, and emails. Scripts take no titles.
 */
export const stands: Readonly<Record<string, string>> = {
  o1: 'jtBm07Y5RKnqZVIW3UZg', // org acme
  o2: 'emwhxDWuinjdgO7pM0Ak', // org labs
  u1: 'chiara@acme.example', // user chiara
  u2: 'deniz@acme.example', // user deniz
  m1: 'u9wK127qcc5p3EZxo1tB', // user chiara
  m2: 'YJCwgLDPoeShgq2bAkWo', // user deniz
  t1: 'yX3ldFpdXkLA5PUzg2Ig', // team writers
  t2: '58r3X1FgDS0A1SsD1Tls', // team support
  i1: 'DlkR0CLUqbYfDbfABloX', // invite readers
  a1: 'xzKLU6hUoc9EtqEPqdLW', // saml staff
  c1: 'FsGqGxpOdninQi0BbUd2', // collection product
  c2: '3yp6r7XXCVC0FgAi1mS3', // collection internal
  s1: 'FVBgvClY2GOXVTOA3nXE', // space welcome
  s2: 'fqHbvTKt1xFyjibhnCJK', // space guide
  s3: 'BuNg2EIhznw7wX6w5XhV', // space handbook
  p1: 'BXtmBQC2HyRV7tDmjP5h', // page quickstart
  f1: 'GfLYwmvJ8yxyEzcdqlxl', // file images/logo.png
  k1: 'Kpk0IhzKZc17g3u7nOFF', // comment
  k2: '0YEfUTVYxXDSFW3vrCIx', // comment
  r1: 'LnCGvrlleEY7WhSvGkfy', // reply
  n1: 'ptV7E9mezwa5um2AT6Bh', // spec public-api version 1
  l1: 'GxMXAlvBqgC3G2RKQTRg', // translation product docs
  w1: 'MMeDFTQG7CxSHog1TZLV', // site docs
  x1: '93hyf8HcqA8EdUJ6XTfN', // section docs Guides
  x2: 'qoprNKE44gdRi8HXlCPH', // section docs API
  x3: 'PsBEFlG8CsRPmDQENuAw', // section docs Home
  g1: 'uF7DBTZ4UEglCp0do1v5', // section group docs Developers
  y1: 'FcDev2rqgrs1NtzOtuH8', // site space docs welcome
  y2: 'jjCCQyMbyOWElC8ctXU8', // site space docs guide
};

/** Declared examples as they are printed. */
export function examplesOf(declared: Examples): Example[] {
  return Object.entries(declared).map(([run, does]) => ({
    run: run.replaceAll(/(?<![\w.@-])[a-z]\d(?![\w.])/g, (word) => stands[word] ?? word),
    does,
  }));
}
