import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { EventFilters, LoggedEvent } from '#events/event-log/calls.ts'
import { useSource } from '#client/event-log/source.ts'

const size = 200

type Pages = { question?: string; events: LoggedEvent[]; next: number | null; error?: Error | undefined }

/** Filtered events, newest first, page by page. The first page starts below the position `before`. */
export function useEventPages(filters: EventFilters, before: number | undefined) {
  const source = useSource()
  const [pages, setPages] = useState<Pages>({ events: [], next: null })
  const [tries, retry] = useState(0)
  const reading = useRef<AbortController>(undefined)
  const question = `${source.name} ${JSON.stringify(filters)} ${before ?? ''} ${tries}`
  const read = useEffectEvent((question: string, from: number | undefined, known: LoggedEvent[]) => {
    const abort = new AbortController()
    reading.current = abort
    const request = { ...filters, before: from, direction: 'desc' as const, size }
    source.list(request, abort.signal).then(
      ({ elements, next }) => abort.signal.aborted || setPages({ question, events: [...known, ...elements], next }),
      (error: Error) => abort.signal.aborted || setPages((last) => ({ ...last, question, error })),
    )
    return abort
  })
  const [more, setMore] = useState<{ question: string; next: number }>()
  useEffect(() => {
    const abort = read(question, before, [])
    return () => abort.abort()
  }, [question, before])
  const readMore = useEffectEvent((request: { question: string; next: number }) => {
    if (request.question === question && request.next === pages.next) read(question, request.next, pages.events)
  })
  useEffect(() => {
    if (more) readMore(more)
  }, [more])
  const loading = pages.question !== question
  return {
    events: pages.events,
    loading,
    error: loading ? undefined : pages.error,
    hasMore: pages.next !== null,
    more: () => pages.next !== null && !loading && setMore({ question, next: pages.next }),
    retry: () => retry((tries) => tries + 1),
  }
}
