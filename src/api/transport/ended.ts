/** Why the transport itself ended a connection or an exchange. */
export type EndedBy = 'CONNECT_TIMEOUT' | 'HEADERS_TIMEOUT' | 'BODY_TIMEOUT' | 'CLOSED';

const messages: Readonly<Record<EndedBy, string>> = {
  CONNECT_TIMEOUT: 'There was no connection in time.',
  HEADERS_TIMEOUT: 'There was no answer in time.',
  BODY_TIMEOUT: 'The answer stopped coming.',
  CLOSED: 'The connection was closed.',
};

/** The end of a connection or an exchange that the transport made itself; `code` as of system errors. */
export class Ended extends Error {
  override readonly name = 'Ended';
  readonly code: EndedBy;

  constructor(code: EndedBy) {
    super(messages[code]);
    this.code = code;
  }
}
