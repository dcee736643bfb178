import { useState } from 'react'

type Interaction = { isOver: boolean; isFocused: boolean; isScrolled: boolean }

/** Whether someone works in a list: the pointer is over it, the keys are in it, or it is scrolled. Its rows stay then. */
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
      // Focus that a click left behind is no interaction: the pointer tells of that one.
      onFocus: ({ target }: { target: Element }) => note({ isFocused: target.matches(':focus-visible') }),
      onBlur: () => note({ isFocused: false }),
    },
  }
}
