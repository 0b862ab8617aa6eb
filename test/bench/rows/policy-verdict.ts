import { performance } from 'node:perf_hooks';
import { decide } from '../../../src/policy/decide.js';
import type { Policy, Rule, Subject } from '../../../src/policy/policy.js';
import { type Row, timesOf } from '../bench.js';
import { unmeasured } from '../processes.js';

const rules = 1000;
/** Verdicts in one run: a single one is too short for the clock. */
const verdicts = 1000;
const limitMs = 1;

/** The slowest case: rules of one command, none of which matches, and so all are looked at. */
const policy: Policy = {
  file: '/policy.yaml',
  hash: '',
  default: 'deny',
  allow: [ruleOf(rules)],
  deny: Array.from({ length: rules - 1 }, (_, at) => ruleOf(at)),
  ask: [],
  budget: [],
  protect: [],
};

function ruleOf(at: number): Rule {
  const attributes = at === rules ? [] : [{ name: 'userId', value: `u${at}` }];
  return { text: '', line: at + 1, words: ['members', 'update'], attributes };
}

const subject: Subject = {
  command: 'members update',
  operation: 'members update',
  effect: 'write',
  danger: 'change',
  undo: 'exact',
  attributes: { organizationId: 'o1', userId: 'someone', role: 'read' },
  organization: 'o1',
};

/** One verdict of a policy of 1,000 rules, against what it may take. */
export const policyVerdict: Row = async (bench) => {
  const ours = Array.from({ length: bench.runs(20) }, () => {
    const startMs = performance.now();
    for (let at = 0; at < verdicts; at += 1) {
      if (decide([policy], subject).is !== 'allow') throw new Error('the last rule allows it');
    }
    return { ms: (performance.now() - startMs) / verdicts, ...unmeasured };
  });
  const limit = ours.map(() => ({ ms: limitMs, ...unmeasured }));
  return [
    {
      what: 'the verdict of a policy with 1,000 rules on one request',
      against: `${limitMs} ms`,
      goal: { most: 1 },
      ...timesOf(ours, limit),
    },
  ];
};
