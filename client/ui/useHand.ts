import { useState } from 'react'

type Hand = { isOver: boolean; isFocused: boolean; isScrolled: boolean }

/** Whether someone works in a list: the pointer is over it, the keys are in it, or it is scrolled. Its rows stay then. */
export function useHand() {
  const [hand, setHand] = useState<Hand>({ isOver: false, isFocused: false, isScrolled: false })
  const note = (change: Partial<Hand>) => setHand((hand) => ({ ...hand, ...change }))
  return {
    isHeld: hand.isOver || hand.isFocused || hand.isScrolled,
    onScrolled: (isScrolled: boolean) => {
      if (isScrolled !== hand.isScrolled) note({ isScrolled })
    },
    watch: {
      onPointerEnter: () => note({ isOver: true }),
      onPointerLeave: () => note({ isOver: false }),
      // Focus that a click left behind is no hand: the pointer tells of that one.
      onFocus: ({ target }: { target: Element }) => note({ isFocused: target.matches(':focus-visible') }),
      onBlur: () => note({ isFocused: false }),
    },
  }
}
