import { useLayoutEffect } from 'react'
import { productName } from '#client/ui/productName.ts'

/** Titles the browser's tab with the screen, the area that it belongs to, and the product: as soon as the screen is drawn. */
export function usePageTitle(...names: readonly string[]): void {
  const title = [...names, productName].join(' · ')
  useLayoutEffect(() => {
    document.title = title
  }, [title])
}
