"""The auditor's tools: look at a collection, ask it questions, write down what is proven. What they hold is an `Audit`."""
