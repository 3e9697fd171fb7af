import dgram from 'node:dgram'
import dns from 'node:dns'
import { syncBuiltinESMExports } from 'node:module'
import net from 'node:net'
import threads from 'node:worker_threads'

/**
 * Takes the network away from the JavaScript of this process and of every thread that it starts: the second lock, behind the one of
 * the system, which is not to be had on every machine. Imported for its effect, before any code that looks at foreign bytes.
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

/** A thread has modules of its own, so that it must begin by this one too, whatever options it is started with. */
const Guarded = new Proxy(threads.Worker, {
  construct: (Worker, [file, options]: ConstructorParameters<typeof threads.Worker>) =>
    new Worker(file, { ...options, env: {}, execArgv: ['--require', import.meta.filename] }),
})
Object.defineProperty(threads.Worker.prototype, 'constructor', { value: Guarded })
threads.Worker = Guarded
syncBuiltinESMExports()
