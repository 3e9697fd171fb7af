import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A receiver in a process of its own: answers 204 to everything and says how much has arrived, whenever that is a round number. */
let received = 0
const roundNumber = 500

const server = createServer((request, response) => {
  request.resume()
  request.on('end', () => {
    response.writeHead(204).end()
    received += 1
    if (received % roundNumber === 0) process.send?.({ received })
  })
})
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }))
