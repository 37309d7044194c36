/** What is known is answered at once; only what has to be waited for is a promise. A failure may be thrown either way. */
export type Answer<T> = T | Promise<T>;

/** Goes on with an answer, at once where it is there: a walk by names that are known makes no promise. */
export function whenAnswered<T, R>(answer: Answer<T>, go: (value: T) => Answer<R>): Answer<R> {
  return answer instanceof Promise ? answer.then(go) : go(answer);
}
