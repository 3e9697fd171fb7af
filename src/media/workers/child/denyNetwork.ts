import dgram from 'node:dgram'
import dns from 'node:dns'
import { syncBuiltinESMExports } from 'node:module'
import net from 'node:net'
import threads from 'node:worker_threads'

/**
 * Removes network access from the JavaScript of this process and of its threads. It adds to the confinement by the operating system,
 * which is not available on every machine. Imported for its side effect, before any code that reads untrusted bytes.
 */
function deny(): never {
  throw Object.assign(new Error('A worker has no network.'), { code: 'ERR_ACCESS_DENIED' })
}

net.Socket.prototype.connect = deny
net.Server.prototype.listen = deny
dgram.Socket.prototype.bind = deny
dgram.Socket.prototype.connect = deny
dgram.Socket.prototype.send = deny
for (const resolver of [dns, dns.promises, dns.Resolver.prototype, dns.promises.Resolver.prototype]) {
  for (const name of Object.getOwnPropertyNames(resolver)) {
    if (/^(lookup|resolve|reverse)/.test(name)) Reflect.set(resolver, name, deny)
  }
}

/** Threads load their own modules, so each one must load this module first, whatever its options are. */
const Guarded = new Proxy(threads.Worker, {
  construct: (Worker, [file, options]: ConstructorParameters<typeof threads.Worker>) =>
    new Worker(file, { ...options, env: {}, execArgv: ['--require', import.meta.filename] }),
})
Object.defineProperty(threads.Worker.prototype, 'constructor', { value: Guarded })
threads.Worker = Guarded
syncBuiltinESMExports()
