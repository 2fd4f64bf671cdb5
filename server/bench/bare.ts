import http from 'node:http'

// What Node can do at most: reads the body, answers 201 with as many bytes as Parley does.
const answer = JSON.stringify({
  data: { call_id: `call_${'0'.repeat(32)}`, status: 'scheduled', scheduled_at: new Date() },
})
const server = http.createServer((request, response) => {
  request.resume()
  request.on('end', () => {
    response.writeHead(201, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(answer) })
    response.end(answer)
  })
})
server.listen(Number(process.argv[2]), '127.0.0.1', () => process.stdout.write('listening\n'))
