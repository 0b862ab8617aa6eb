/** Addresses that open the pages of this database in a browser, once each; `hash` is that of the ticket. */
export const tickets = `
CREATE TABLE local_tickets (hash TEXT PRIMARY KEY, expires_at INTEGER NOT NULL) STRICT, WITHOUT ROWID;
`;
