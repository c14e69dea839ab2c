import type { Run } from '@aos/client';
import { Card } from '../ui/page';
import { useRunDetail } from './use-run';

/** How the run was judged. */
export function EvaluationCard({ run }: { run: Run }) {
  const { data: detail } = useRunDetail(run);
  const evaluation = detail?.evaluation;
  if (!evaluation) return null;
  return (
    <Card title={`Evaluation: ${evaluation.passed} of ${evaluation.total}`}>
      {evaluation.status === 'in_progress' && <p className="quiet">It is being judged.</p>}
      <ul className="stack tight">
        {evaluation.results.map((result) => (
          <li key={result.rubric_id ?? result.key} className="stack tight">
            <span className="row">
              <span className={`badge ${result.passed === null ? '' : result.passed ? 'good' : 'bad'}`}>
                {result.passed === null ? 'Not judged' : result.passed ? 'Passed' : 'Issue'}
              </span>
              <span>{result.title}</span>
              {result.passed === false && <span className="tag">{result.severity}</span>}
            </span>
            {result.passed !== true && <span className="small quiet">{result.comment}</span>}
          </li>
        ))}
      </ul>
    </Card>
  );
}
