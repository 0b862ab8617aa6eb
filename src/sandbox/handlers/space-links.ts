import { listSpaceLinks } from '../../api/resources/spaces.js';
import { mainView, readLinks } from '../content/reads.js';
import { handle } from '../handle.js';

export const handlers = [
  handle(listSpaceLinks, (call) => readLinks(mainView({ ...call, query: {} }), call.query.status, call.page)),
];
