"""A person reaches to a cup, looks at it and stays on both feet; the report says what was met."""

import limber

figure = limber.human()
problem = limber.Problem(figure)
cup = [-0.2, 1.1, 0.5]
hand = problem.add(figure.point("right_palm"), limber.Position(cup))
problem.add(figure.ray("eyes"), limber.AimAt(cup), weight=0.5, chain_from="neck")
for foot in ("left_foot", "right_foot"):
    problem.add(figure.frame(foot), limber.hold(), weight=limber.must)
problem.add_balance(["left_foot", "right_foot"])
problem.add_prior()

report = limber.solve(problem)
print(report)
print(f"the elbow bends by {report.pose['right_elbow.flexion']:.2f} rad")
assert report[hand].met
