/** An HTTP server that receives what the exporter of traces sends: OTLP in JSON. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

type Attribute = { key: string; value: { stringValue?: string; intValue?: number | string } }

/** A span as the protocol writes it: opentelemetry-proto, trace/v1/trace.proto. */
type Span = {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  attributes: Attribute[]
  links: { traceId: string; spanId: string }[]
}

type Export = {
  resourceSpans: {
    resource: { attributes: Attribute[] }
    scopeSpans: { spans: Span[] }[]
  }[]
}

/** A collector, with everything that it received, in order; it ends with the test. */
export async function startCollector() {
  const exports: Export[] = []
  const paths = new Set<string>()
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      paths.add(request.url ?? '')
      exports.push(JSON.parse(Buffer.concat(chunks).toString()) as Export)
      response.setHeader('content-type', 'application/json').end('{}')
    })
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  return {
    endpoint: `http://127.0.0.1:${port}`,
    paths,
    services: () =>
      exports.flatMap(({ resourceSpans }) =>
        resourceSpans.map(({ resource }) => attributeOf(resource, 'service.name')),
      ),
    spans: () =>
      exports.flatMap(({ resourceSpans }) =>
        resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)),
      ),
    text: () => JSON.stringify(exports),
  }
}

export function attributeOf({ attributes }: { attributes: Attribute[] }, name: string) {
  const value = attributes.find(({ key }) => key === name)?.value
  return value?.stringValue ?? (value?.intValue === undefined ? undefined : Number(value.intValue))
}
