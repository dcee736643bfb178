import { useState } from 'react'

type Interaction = { isOver: boolean; isFocused: boolean; isScrolled: boolean }

/**
 * True while the user hovers over a list, has the focus in it, or has scrolled it. Its rows must not be reordered then.
 */
export function useInteraction() {
  const [interaction, setInteraction] = useState<Interaction>({ isOver: false, isFocused: false, isScrolled: false })
  const note = (change: Partial<Interaction>) => setInteraction((interaction) => ({ ...interaction, ...change }))
  return {
    isHeld: interaction.isOver || interaction.isFocused || interaction.isScrolled,
    onScrolled: (isScrolled: boolean) => {
      if (isScrolled !== interaction.isScrolled) note({ isScrolled })
    },
    watch: {
      onPointerEnter: () => note({ isOver: true }),
      onPointerLeave: () => note({ isOver: false }),
      // Focus after a click doesn't count, since the pointer already does.
      onFocus: ({ target }: { target: Element }) => note({ isFocused: target.matches(':focus-visible') }),
      onBlur: () => note({ isFocused: false }),
    },
  }
}
