import { useEffect } from 'react'
import { linksAt } from '../app/links.ts'
import type { Move } from './useRotation.ts'

/** Keys for the person who sets the wall up: Esc leaves, the arrows change the board, Space holds it. */
export function useWallKeys(move: Move): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const deeds: Record<string, () => void> = {
        Escape: () => location.assign(linksAt().dashboard()),
        ArrowLeft: () => move.by(-1),
        ArrowRight: () => move.by(1),
        ' ': () => event.repeat || move.hold(),
      }
      const deed = deeds[event.key]
      if (!deed) return
      event.preventDefault()
      deed()
    }
    window.addEventListener('keydown', press)
    return () => window.removeEventListener('keydown', press)
  }, [move])
}
