/**
 * Traces for OpenTelemetry: spans of requests, of order batches and of SQL. Without an endpoint the SDK is not
 * loaded, and a span costs one comparison.
 */
import {
  type Attributes,
  type Context,
  context,
  type Link,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api'

let tracer: Tracer | null = null

/**
 * Starts to send spans to a collector, by OTLP over HTTP (`<endpoint>/v1/traces`).
 *
 * @param endpoint the collector's base address, such as http://127.0.0.1:4318
 * @returns the function that sends the remaining spans and ends it
 */
export async function startTracing(options: {
  endpoint: string
  build: string
  onError: (error: Error) => void
}): Promise<() => Promise<void>> {
  const { endpoint, build, onError } = options
  const [sdk, hooks, resources, otlp] = await Promise.all([
    import('@opentelemetry/sdk-trace'),
    import('@opentelemetry/context-async-hooks'),
    import('@opentelemetry/resources'),
    import('@opentelemetry/exporter-trace-otlp-http'),
  ])
  const exporter = new otlp.OTLPTraceExporter({ url: `${endpoint.replace(/\/$/, '')}/v1/traces` })
  const provider = new sdk.TracerProvider({
    resource: resources
      .defaultResource()
      .merge(
        resources.resourceFromAttributes({ 'service.name': 'sum28', 'service.version': build }),
      ),
    spanProcessors: [new sdk.BatchSpanProcessor({ exporter })],
  })
  const contexts = new hooks.AsyncLocalStorageContextManager().enable()
  context.setGlobalContextManager(contexts)
  tracer = provider.getTracer('sum28', build)
  return async () => {
    tracer = null
    // A collector that is down must not prevent the product from ending.
    await provider.shutdown().catch(onError)
    context.disable()
  }
}

/** Whether spans are sent. */
export function isTracing(): boolean {
  return tracer !== null
}

export type SpanOptions = {
  attributes?: Attributes
  /** Begins a separate trace, linked to the traces that it works for, instead of being part of one. */
  links?: readonly (Link | null)[]
}

/** Runs work in a span, which fails if the work fails. */
export function inSpan<Result>(
  name: string,
  { attributes = {}, links }: SpanOptions,
  work: () => Promise<Result>,
): Promise<Result> {
  if (!tracer) return work()
  const parent = links ? ROOT_CONTEXT : context.active()
  const span = tracer.startSpan(
    name,
    { attributes, links: (links ?? []).filter((link) => link !== null) },
    parent,
  )
  return context.with(trace.setSpan(parent, span), async () => {
    try {
      return await work()
    } catch (error) {
      span.setStatus({ code: SpanStatusCode.ERROR, message: nameOfError(error) })
      throw error
    } finally {
      span.end()
    }
  })
}

/**
 * Runs a statement in a span, if it is part of a trace. The span contains its text but not its values, which are
 * players' names, money and secrets.
 */
export function inSqlSpan<Result>(text: string, work: () => Promise<Result>): Promise<Result> {
  if (!tracer || !trace.getSpan(context.active())) return work()
  const attributes = { 'db.system.name': 'postgresql', 'db.query.text': text }
  return inSpan(summaryOf(text), { attributes }, work)
}

/** A link to the present span; null if there is none. */
export function linkToHere(): Link | null {
  const running = tracer && trace.getSpan(context.active())
  return running ? { context: running.spanContext() } : null
}

export type RequestSpan = {
  /** Continues with the request within its span. */
  run(next: () => void): void
  end(status: number): void
}

/**
 * Begins the span of a request; null if tracing is off. A trace id that a client sends is ignored.
 */
export function beginRequestSpan(request: {
  method: string
  /** The route's pattern, without values that a client chose. */
  route: string
  id: string
}): RequestSpan | null {
  if (!tracer) return null
  const span = tracer.startSpan(
    `${request.method} ${request.route}`,
    {
      kind: SpanKind.SERVER,
      attributes: {
        'http.request.method': request.method,
        'http.route': request.route,
        'sum28.request_id': request.id,
      },
    },
    ROOT_CONTEXT,
  )
  const within: Context = trace.setSpan(ROOT_CONTEXT, span)
  return {
    run: (next) => context.with(within, next),
    end(status) {
      span.setAttribute('http.response.status_code', status)
      if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR })
      span.end()
    },
  }
}

/** A statement in a few words, such as `select bets.place`. */
function summaryOf(text: string): string {
  const verb = /^\s*(\w+)/.exec(text)?.[1]?.toLowerCase() ?? 'sql'
  const target = /\b(?:from|into|update)\s+([a-z_]+\.[a-z_]+)/i.exec(text)?.[1]
  const called = /\b([a-z_]+\.[a-z_]+)\s*\(/i.exec(text)?.[1]
  return [verb, target ?? called].filter(Boolean).join(' ')
}

/** Only an error's kind: its message may contain what players wrote. */
function nameOfError(error: unknown): string {
  return error instanceof Error ? error.name : 'error'
}
