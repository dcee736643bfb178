import { useState } from 'react'

type Shown<P> = { page: P | undefined; question: string; isReleased: boolean }

/**
 * The page that is shown. A newer one waits while `isHeld`, so that no row moves under a hand, unless another question was
 * asked, it was asked for, or it has the same rows. `release` lets it in.
 */
export function useShown<P extends { elements: { id: number }[] }>(
  newest: P | undefined,
  question: string,
  isHeld: boolean,
) {
  const [shown, show] = useState<Shown<P>>({ page: newest, question, isReleased: newest === undefined })
  const isNewer = newest !== undefined && newest !== shown.page
  const mayShow = shown.isReleased || !isHeld || idsOf(newest) === idsOf(shown.page)
  if (question !== shown.question) show({ ...shown, question, isReleased: true })
  else if (isNewer && mayShow) show({ page: newest, question, isReleased: false })
  return {
    page: shown.page,
    isWaiting: isNewer && !mayShow,
    release: () => show({ ...shown, isReleased: true }),
  }
}

const idsOf = (page: { elements: { id: number }[] } | undefined) => page?.elements.map(({ id }) => id).join()
