/**
 * Wraps all by which Node reaches a network: sockets, datagrams, names. The code of a function that is given `require`
 * and `told`, which it calls for each use; a process of its own is given it before it starts.
 */
export const watcher = `
const dgram = require('node:dgram');
const dns = require('node:dns');
const net = require('node:net');
const { connect } = net.Socket.prototype;
net.Socket.prototype.connect = function (...words) {
  const [options] = net._normalizeArgs(Array.isArray(words[0]) ? words[0] : words);
  told(options.path ? { path: options.path } : { host: options.host ?? 'localhost', port: Number(options.port) });
  return connect.apply(this, words);
};
const { send } = dgram.Socket.prototype;
dgram.Socket.prototype.send = function (...words) {
  told({ datagram: true });
  return send.apply(this, words);
};
for (const owner of [dns, dns.promises, dns.Resolver.prototype, dns.promises.Resolver.prototype])
  for (const name of ['lookup', 'lookupService', 'resolve', 'resolve4', 'resolve6', 'resolveAny', 'reverse', 'resolveTxt', 'resolveSrv']) {
    const real = owner[name];
    if (typeof real !== 'function') continue;
    owner[name] = function (asked, ...rest) {
      if (!net.isIP(String(asked))) told({ name: asked });
      return real.call(this, asked, ...rest);
    };
  }
`;
