// Preloaded into programs that listen: without a host, they listen on loopback only.
const { Server } = require('node:net')

const { listen } = Server.prototype
Server.prototype.listen = function (first, ...rest) {
  if (typeof first === 'object' && first?.port !== undefined) {
    return listen.call(this, { ...first, host: '127.0.0.1' }, ...rest)
  }
  const isPort = typeof first === 'number' || /^\d+$/.test(String(first))
  if (!isPort) return listen.call(this, first, ...rest)
  const [host, ...others] = typeof rest[0] === 'string' ? rest : [undefined, ...rest]
  return listen.call(this, first, host === undefined ? '127.0.0.1' : host, ...others)
}
