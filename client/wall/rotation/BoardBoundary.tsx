import { Component, type ReactNode } from 'react'
import classes from '#client/wall/Wall.module.css'

type Props = { name: string; children: ReactNode }

/** Delay before a failed board is shown again, in milliseconds. */
const remountAfterMs = 10_000

/** Catches errors of a board, and retries it. */
export class BoardBoundary extends Component<Props, { hasFailed: boolean }> {
  override state = { hasFailed: false }
  #timer: ReturnType<typeof setTimeout> | undefined

  static getDerivedStateFromError = () => ({ hasFailed: true })

  override componentDidCatch(): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.setState({ hasFailed: false }), remountAfterMs)
  }

  override componentWillUnmount(): void {
    clearTimeout(this.#timer)
  }

  override render(): ReactNode {
    const { name, children } = this.props
    if (!this.state.hasFailed) return children
    return <p className={classes.failed}>{name} could not be shown. Retrying in a few seconds.</p>
  }
}
